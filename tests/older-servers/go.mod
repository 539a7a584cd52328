module older-servers

go 1.26.0
