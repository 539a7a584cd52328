# Like permissions-missing--verb-lost-on-services, but the ClusterRole has all verbs.
TWIN=yes
twin_of permissions-missing--verb-lost-on-services
