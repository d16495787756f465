import { compareVersions, isSemver } from '../system/update.rules.ts'
import { initialVersion, newestVersion, newestVersionText, versionText } from './newest.rules.ts'

/** The edition of August 2025, from before versions were dated. It answers requests without the header. */
export const baseVersion = 20250730

/** The dated versions, the oldest first. Those that no file of this folder describes changed only words of the description. */
const dated = [
  initialVersion,
  2025120300,
  2025121200,
  2025122300,
  2026010100,
  2026010300,
  2026010500,
  2026010800,
  2026011100,
  2026011300,
  2026011500,
  2026011501,
  2026011600,
  2026011601,
  2026012100,
  2026012200,
  2026012201,
  2026012300,
  2026012800,
  2026013000,
  2026013001,
  2026013100,
  2026020200,
  2026020600,
  2026020900,
  2026020901,
  2026021300,
  2026021301,
  2026021900,
  2026022500,
  2026030200,
  2026030600,
  2026030601,
  2026031200,
  2026031400,
  2026032300,
  2026032400,
  2026032500,
  2026041600,
  2026041900,
  2026042400,
  2026042900,
  2026043000,
  2026050700,
  2026050800,
  2026052000,
  2026060300,
  2026060400,
  2026060500,
  2026060800,
  2026061000,
  2026061100,
  2026072800,
  2026073100,
  2026081200,
  2026081400,
  2026081700,
  newestVersion,
] as const
export const versions: readonly number[] = [baseVersion, ...dated]

/**
 * The version that answers a request for this one: the newest that is not after it, released or not. What is after the
 * newest one is unknown, and anything but a semantic version is malformed.
 */
export function versionNamed(text: string): number | 'newer' | 'malformed' {
  if (!isSemver(text)) return 'malformed'
  if (compareVersions(text, newestVersionText) > 0) return 'newer'
  return versions.findLast((version) => compareVersions(versionText(version), text) <= 0) ?? baseVersion
}

/** The status of success in a version. */
export const statusIn = (
  {
    status,
    formerAnswer: former,
  }: { status: number; formerAnswer: { status: number; until: number } | undefined },
  version: number,
): number => (former && version < former.until ? former.status : status)

/** When something exists: from `since` on, until before `until`. */
export interface Range {
  since?: number | undefined
  until?: number | undefined
}

export const isIn = ({ since = 0, until = Number.POSITIVE_INFINITY }: Range, version: number): boolean =>
  since <= version && version < until
