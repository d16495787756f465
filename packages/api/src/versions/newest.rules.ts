/**
 * The header by which a request names the version of the API that its client was made for. A version is the day of the
 * change with a counter within that day, sent as a semantic version: `2026013001.0.0`.
 */
export const versionHeader = 'api-version'

/** As requests and descriptions name it. */
export const versionText = (version: number): string => `${version}.0.0`

/** The first dated version. */
export const initialVersion = 2025112000

/** The version that the contract describes, and that its clients send. */
export const newestVersion = 2026081901
export const newestVersionText: string = versionText(newestVersion)
