# Like older-entry--entry-of-an-older-release, but another program has set the entry that the others have: that one says
# nothing about the entry of the operator.
AUDITOR=audit-bot
twin_of older-entry--entry-of-an-older-release
