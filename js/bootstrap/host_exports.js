// The object behind the module `modgate:host`; 60_host.js fills it.
(function () {
return {
  call: undefined,
  currentDollar: undefined,
  keep: undefined,
  ask: undefined,
  askLater: undefined,
  askStream: undefined,
  special: undefined,
  currentFrame: undefined,
  inFrame: undefined,
  HooksError: undefined,
  hostError: undefined,
  register: undefined,
  setOpen: undefined,
};
})()
