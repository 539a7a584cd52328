# A service keeps a tenant that still has subscriptions. Only the operator's log says so (.NET, where a
# record has several lines and no time).
crd tenants kontoor.example Tenant
logging kontoor kontoor-operator tenants.kontoor.example
hung 5 fin Tenant.v1.kontoor.example tenants nordwind kontoor.example/ledger kontoor-operator '{plan: gold}'
logged kontoor "$(pods_of kontoor kontoor-operator)" manager nordwind <<'LOG'
fail: KubeOps.Operator.Reconciliation.Reconciler[0]
      Failed to finalize Tenant fin/nordwind.
      System.InvalidOperationException: The tenant cannot be removed: it still has 2 active subscriptions.
         at Kontoor.Operator.LedgerClient.RemoveAsync(String tenant) in /src/LedgerClient.cs:line 84
         at Kontoor.Operator.TenantFinalizer.FinalizeAsync(Tenant entity) in /src/TenantFinalizer.cs:line 31
LOG
