@kubectl-unstick __complete %*
