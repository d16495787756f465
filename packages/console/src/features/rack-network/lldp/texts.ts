/** What the switch tells its neighbours, besides the port itself. */
export const lldpTexts = [
  ['chassisId', 'Chassis ID'],
  ['systemName', 'System name'],
  ['systemDescription', 'System description'],
  ['linkName', 'Port name'],
  ['linkDescription', 'Port description'],
  ['managementIp', 'Management address'],
] as const

/** Maximum length of each text, in characters. */
export const lldpTextMax = 255
