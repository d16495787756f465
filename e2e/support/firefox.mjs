import fs from 'node:fs'

const places = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]

/** Finds the Firefox of the gate `engines`: the configured or installed one. */
export const findFirefox = () => process.env.GANTRY_FIREFOX ?? places.find((place) => fs.existsSync(place))
