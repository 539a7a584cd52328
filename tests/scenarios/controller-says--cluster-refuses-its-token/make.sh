# Argo CD cannot delete what an application manages in another cluster. Only its log says so (logfmt).
crd applications argoproj.io Application Namespaced v1alpha1
logging argocd argocd-application-controller applications.argoproj.io
hung 60 argocd Application.v1alpha1.argoproj.io applications shop resources-finalizer.argocd.argoproj.io argocd-application-controller \
  '{project: default, destination: {name: edge, namespace: shop}}'
logged argocd "$(pods_of argocd argocd-application-controller)" manager shop <<'LOG'
time="@iso" level=info msg="Deleting resources" application=argocd/shop dest-namespace=shop dest-server= project=default
time="@iso" level=error msg="Unable to delete application resources: failed to get cluster info for \"https://edge.example.com:6443\": error synchronizing cache state : failed to get server version: the server has asked for the client to provide credentials" app-namespace=argocd app-qualified-name=argocd/shop application=shop project=default
LOG
