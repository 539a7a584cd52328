# An identity server refuses the operator's login. Only its log says so, at the end of a chain of causes
# (Java Operator SDK, Quarkus).
crd keycloakclients k8s.keycloak.org KeycloakClient Namespaced v2alpha1
logging keycloak keycloak-operator keycloakclients.k8s.keycloak.org
hung 5 shop KeycloakClient.v2alpha1.k8s.keycloak.org keycloakclients storefront keycloakclients.k8s.keycloak.org/finalizer keycloak-operator '{realm: shop}'
logged keycloak "$(pods_of keycloak keycloak-operator)" manager storefront <<'LOG'
@log4j,117 ERROR [io.javaoperatorsdk.operator.processing.event.EventProcessor] (ReconcilerExecutor-keycloakclientcontroller-41) Error during event processing ExecutionScope{ resource id: ResourceID{name='storefront', namespace='shop'}, version: 4711}
io.javaoperatorsdk.operator.OperatorException: jakarta.ws.rs.ProcessingException: could not delete the client
	at io.javaoperatorsdk.operator.processing.Controller$1.execute(Controller.java:201)
	at io.javaoperatorsdk.operator.processing.event.ReconciliationDispatcher.handleCleanup(ReconciliationDispatcher.java:281)
	... 9 more
Caused by: jakarta.ws.rs.ProcessingException: could not delete the client
	at org.keycloak.operator.ClientService.delete(ClientService.java:88)
	... 11 more
Caused by: jakarta.ws.rs.NotAuthorizedException: HTTP 401 Unauthorized: the client secret of admin-cli is not valid any more
	at org.keycloak.admin.client.token.TokenManager.grantToken(TokenManager.java:110)
	... 14 more
LOG
