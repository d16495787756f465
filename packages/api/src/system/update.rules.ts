import { KiB, MiB } from '../base/bytes.rules.ts'

/** `open` accepts bytes, `checking` verifies them, `done` is a repository, `failed` was refused. */
export const updateUploadStates = ['open', 'checking', 'done', 'failed'] as const
export type UpdateUploadState = (typeof updateUploadStates)[number]

export const updateUploadAllows = {
  write: ['open'],
  complete: ['open', 'checking', 'done'],
  delete: ['open', 'done', 'failed'],
} as const

/** Maximum bytes of one request, and the recommended number. */
export const updateUploadMaxPiece = 8 * MiB
export const updateUploadPiece = 4 * MiB
/** Hours without new bytes after which an upload is deleted, and minutes for one that comes as one request. */
export const updateUploadIdleHours = 24
export const updateStreamIdleMinutes = 10
/** Uploads that exist at the same time. */
export const maxUpdateUploads = 8
/** Repositories and trust roots that exist at the same time. */
export const maxUpdateRepositories = 200
export const maxUpdateTrustRoots = 50

export const versionSorts = ['version_ascending', 'version_descending'] as const

export const fileNameMaxLength = 255

/** Bounds of an archive. Only the signed metadata is unpacked before a signature has been verified. */
export const updateArchiveLimits = {
  entries: 1000,
  metadataBytes: 1 * MiB,
  directoryBytes: 4 * MiB,
  nameBytes: 1 * KiB,
} as const

/**
 * The kinds of components in update order: sleds by slot, then switches, then the control plane. A repository holds
 * one artifact of each kind.
 */
export const updateKinds = {
  sled_rot: { of: 'sled', label: 'Root of trust' },
  sled_sp: { of: 'sled', label: 'Service processor' },
  sled_host: { of: 'sled', label: 'Host software' },
  switch_rot: { of: 'switch', label: 'Root of trust' },
  switch_sp: { of: 'switch', label: 'Service processor' },
  control_plane: { of: 'rack', label: 'Control plane' },
} as const satisfies Record<string, { of: 'sled' | 'switch' | 'rack'; label: string }>
export type UpdateKind = keyof typeof updateKinds
export const updateKindNames = Object.keys(updateKinds) as [UpdateKind, ...UpdateKind[]]

/**
 * `current` runs the target release, `pending` waits for its turn, `draining` waits until no instance runs on the
 * sled, `updating` installs, and `failed` runs its previous release again.
 */
export const componentStates = ['current', 'pending', 'draining', 'updating', 'failed'] as const
export type ComponentState = (typeof componentStates)[number]

/** Software that came with the rack, before any update. */
export const installDataset = 'install dataset'
/** Failed attempts of one component after which only support can help. */
export const supportAfterAttempts = 3

/** The pattern of semantic versioning 2.0.0, as in the API's description. */
export const semverPattern =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$'
export const versionMaxLength = 64
const semver = new RegExp(semverPattern)

export const isSemver = (text: string): boolean => text.length <= versionMaxLength && semver.test(text)

/** Precedence of semantic versions: negative if `a` is older. Build metadata has no influence. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (const [index, number] of left.numbers.entries()) {
    const order = compareNumbers(number, right.numbers[index] ?? '0')
    if (order !== 0) return order
  }
  // A release is newer than its pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length
  for (const [index, one] of left.pre.entries()) {
    const other = right.pre[index]
    if (other === undefined) return 1
    const order = compareIdentifiers(one, other)
    if (order !== 0) return order
  }
  return left.pre.length - right.pre.length
}

function partsOf(version: string): { numbers: string[]; pre: string[] } {
  const [, major = '0', minor = '0', patch = '0', pre = ''] = semver.exec(version) ?? []
  return { numbers: [major, minor, patch], pre: pre === '' ? [] : pre.split('.') }
}

/** As text, because the numbers of a version may exceed the safe integers. */
const compareNumbers = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

function compareIdentifiers(a: string, b: string): number {
  const [isA, isB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isA && isB) return compareNumbers(a, b)
  if (isA !== isB) return isA ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Why a release cannot become the target; undefined if it can. Setting the same release again is accepted. */
export const targetProblem = (version: string, current: string | null | undefined): string | undefined =>
  current && compareVersions(version, current) < 0
    ? `The requested target release (${version}) is older than the current one (${current}), which is not supported.`
    : undefined

/**
 * The release to which a suspended update can return: the one that every component runs, if it is another one than the
 * target. Undefined if there is none.
 */
export function recoveryRelease(
  byVersion: Readonly<Record<string, number>>,
  { suspended, target }: { suspended: boolean; target: string | null | undefined },
): string | undefined {
  const [only, another] = Object.keys(byVersion)
  return suspended && another === undefined && only !== installDataset && only !== target ? only : undefined
}

/** Whole per cent of components at the target, rounded down so that only all of them are 100. */
export const updateProgress = (
  byVersion: Readonly<Record<string, number>>,
  target: string | null | undefined,
): { done: number; total: number; percent: number } | undefined => {
  const total = Object.values(byVersion).reduce((sum, count) => sum + count, 0)
  if (!target || total === 0) return undefined
  const done = byVersion[target] ?? 0
  return { done, total, percent: Math.floor((done / total) * 100) }
}
