# Like eviction-refused--responders-have-failed, but who asked for the eviction has withdrawn that.
REASON=CanceledDueToNoRequesters WORDS="all requesters have withdrawn"
twin_of eviction-refused--responders-have-failed
