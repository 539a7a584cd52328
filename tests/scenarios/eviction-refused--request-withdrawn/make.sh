# Like eviction-refused--responders-have-failed, but who asked for the eviction has withdrawn that.
REASON=CanceledDueToNoRequesters WORDS="all requesters have withdrawn"
. "$(dirname "${BASH_SOURCE[0]}")/../eviction-refused--responders-have-failed/make.sh"
