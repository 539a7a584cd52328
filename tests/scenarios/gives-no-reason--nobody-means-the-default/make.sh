# Like in-use--default-of-those-that-name-none, but both objects name the other configuration.
PLUMS='{size: 2, storeConfigRef: {name: cold}}'
twin_of in-use--default-of-those-that-name-none
