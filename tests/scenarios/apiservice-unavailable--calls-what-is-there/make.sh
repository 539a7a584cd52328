# Like apiservice-unavailable--calls-the-namespace-that-waits, but the server calls a Service of a namespace that stays.
STORE=depot
twin_of apiservice-unavailable--calls-the-namespace-that-waits
