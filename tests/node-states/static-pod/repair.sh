inside rm /run/static-pods/proxy.yaml
