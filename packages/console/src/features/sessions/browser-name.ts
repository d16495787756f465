/** The first match wins, because most browsers also claim to be others. */
const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** The everyday name of a user agent: `Firefox on Windows`; the program's name alone if not a browser. */
export function browserName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown browser'
  const browser = nameIn(browsers, userAgent)
  if (!browser) return userAgent.split(/[/\s(]/)[0] || 'Unknown browser'
  const system = nameIn(systems, userAgent)
  return system ? `${browser} on ${system}` : browser
}

const nameIn = (names: readonly [RegExp, string][], userAgent: string): string | undefined =>
  names.find(([sign]) => sign.test(userAgent))?.[1]
