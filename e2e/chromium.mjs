import fs from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Without these a browser started as root, without a display or without a network, does not come up quietly. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Letters are drawn alike on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
]

/**
 * A Chromium for the browser tests: the one that is named or installed, else the one that comes as a package.
 * @returns {Promise<{ executablePath: string, args: string[] }>}
 */
export async function findChromium() {
  const named = process.env.GANTRY_CHROMIUM
  const installed = named ?? places.find((place) => fs.existsSync(place))
  if (installed) return { executablePath: installed, args }
  const { default: packaged } = await import('@sparticuz/chromium')
  // Its own arguments are left out: they make one process of it, which ends whole when a window closes.
  return { executablePath: await packaged.executablePath(), args }
}
