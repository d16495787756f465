import fs from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const disabledFeatures = [
  // Pages behind the address bar, which take up to a second of processor time in each context.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AiModeOmniboxEntryPoint',
  // Those of Playwright, whose own list this one replaces.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Needed to start as root, without a display and without a network. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Text is rendered the same on every machine.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  `--disable-features=${disabledFeatures.join()}`,
]

/**
 * Finds Chromium for the browser tests: the configured or installed one, with a packaged one as fallback.
 * @returns {Promise<{ executablePath: string, args: string[] }>}
 */
export async function findChromium() {
  const named = process.env.GANTRY_CHROMIUM
  const installed = named ?? places.find((place) => fs.existsSync(place))
  if (installed) return { executablePath: installed, args }
  const { default: packaged } = await import('@sparticuz/chromium')
  // The package's own arguments are omitted: they imply a single process, which ends when any window closes.
  return { executablePath: await packaged.executablePath(), args }
}
