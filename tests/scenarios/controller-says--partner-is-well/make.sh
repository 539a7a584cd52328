# Like waits-for-others--partner-in-trouble, but the annotation names a healthy host. The other host reports the failure.
HOST=rack-8
twin_of waits-for-others--partner-in-trouble
