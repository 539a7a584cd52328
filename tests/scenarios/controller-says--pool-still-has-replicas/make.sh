# A storage pool still has replicas, so its operator cannot delete it. Only its log says so (Rust's
# tracing, with keys behind the message).
crd diskpools openebs.io DiskPool Namespaced v1beta3
logging mayastor operator-diskpool diskpools.openebs.io
hung 5 mayastor DiskPool.v1beta3.openebs.io diskpools pool-on-node-2 openebs.io/diskpool-protection operator-diskpool '{node: node-2, disks: [/dev/sdb]}'
logged mayastor "$(pods_of mayastor operator-diskpool)" manager pool-on-node-3 <<'LOG'
@iso ERROR operator_diskpool::context: Failed to destroy the pool, error: Error in response: status code '409 Conflict', content: 'RestJsonError { details: "Pool is still in use by 2 replicas", message: "Pool 'pool-on-node-2' is in use", kind: InUse }', name: "pool-on-node-2", namespace: "mayastor"
    at k8s/operators/src/pool/context.rs:412
LOG
