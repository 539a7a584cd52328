# A service refuses an operator's requests. Only its log says so (gRPC, wrapped several times).
crd alerts coralogix.com Alert Namespaced v1beta1
logging coralogix coralogix-operator alerts.coralogix.com
hung 5 shop Alert.v1beta1.coralogix.com alerts slow-checkout alert.coralogix.com/finalizer manager '{name: slow checkout}'
logged coralogix "$(pods_of coralogix coralogix-operator)" manager slow-checkout <<'LOG'
{"level":"error","ts":"@iso","msg":"Error handling Alert deletion","controller":"alert","controllerGroup":"coralogix.com","controllerKind":"Alert","Alert":{"name":"slow-checkout","namespace":"shop"},"namespace":"shop","name":"slow-checkout","reconcileID":"9d0e1f2a-3b4c-4d5e-8f6a-7b8c9d0e1f2a","gvk":"coralogix.com/v1beta1, Kind=Alert","error":"error on deleting remote alert: SDK API error from /com.coralogixapis.alerts.v3.AlertDefsService/DeleteAlertDef: rpc error: code = PermissionDenied desc = the API key lacks the permission alerts:UpdateConfig"}
LOG
