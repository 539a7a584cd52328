# A service keeps a group that a policy uses. Only the operator's log says so (Go's slog).
crd nbgroups netbird.io NBGroup
logging netbird netbird-operator nbgroups.netbird.io
hung 5 vpn NBGroup.v1.netbird.io nbgroups staff netbird.io/group-cleanup netbird-operator '{name: staff}'
logged netbird "$(pods_of netbird netbird-operator)" manager staff <<'LOG'
time=@iso level=ERROR source=nbgroup_controller.go:142 msg="error deleting group" namespace=vpn name=staff err="group has been linked to policy: staff-to-servers"
LOG
