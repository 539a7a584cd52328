inside sh -c 'kill $(cat /run/squatter.id)'
