// @chunk change-plans: a saved plan shows what a deletion takes along.
import { capitalise } from '@gantry/api/base/errors.rules'
import { recycledKinds } from '@gantry/api/history/recycle-bin.rules'
import { kindWord } from '#/kit/page/stored-values.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { formatCount, formatSeries } from '#/ui/data/format-amounts.ts'
import type { Blocker, Branch, Deletion, Plan } from './queries.ts'

/** Kinds that a deletion has its own words for. */
const nouns: Readonly<Record<string, string>> = {
  'external-ip': 'ephemeral address',
  policy: 'role of users and groups',
  silo: 'linked silo',
  'ip-pool': 'linked IP pool',
  'subnet-pool': 'linked subnet pool',
  'internet-gateway-ip-pool': 'internet gateway that leads to it',
}
const plurals: Readonly<Record<string, string>> = {
  policy: 'roles of users and groups',
  'external-ip': 'ephemeral addresses',
  'metric-query': 'saved queries',
  schedule: 'schedules',
  'instance-template': 'instance templates',
  'internet-gateway-ip-pool': 'internet gateways that lead to it',
}

export const nounOf = (kind: string): string => nouns[kind] ?? kindWord(kind)

const pluralOf = (kind: string, count: number): string =>
  count === 1 ? nounOf(kind) : (plurals[kind] ?? plural(nounOf(kind), count))

export const branchLabel = ({ kind, count }: Branch): string => capitalise(pluralOf(kind, count))

const recycled: ReadonlySet<string> = new Set([
  ...recycledKinds,
  // With the VPC or the project that they belong to.
  'vpc-firewall-rule',
  'vpc-router',
  'internet-gateway',
  'metric-query',
  'schedule',
  'shared-view',
  'instance-template',
  'policy',
])

/** What becomes of a branch, in a few words. */
export function fateText(branch: Branch, isRecycled: boolean): string {
  const { fate, kind, concerned, count } = branch
  if (isRecycled && fate !== 'kept' && recycled.has(kind)) {
    if (kind === 'floating-ip') return 'Recycle bin, its address stays reserved'
    if (kind === 'external-subnet') return 'Recycle bin, its block stays reserved'
    if (fate !== 'stopped_and_deleted' || !concerned) return 'Recycle bin'
    return concerned === count
      ? 'Stopped, then recycle bin'
      : `Recycle bin, ${formatNumber(concerned)} stopped first`
  }
  switch (fate) {
    case 'stopped_and_deleted':
      if (!concerned) return 'Deleted'
      return concerned === count ? 'Stopped, then deleted' : `${formatNumber(concerned)} stopped, all deleted`
    case 'freed':
      return kind === 'floating-ip' || kind === 'external-subnet' ? 'Back to their pool' : 'Freed at once'
    case 'unlinked':
      return 'Unlinked'
    case 'kept':
      return 'Kept'
    case 'deleted':
      return kind === 'disk' && concerned ? `Deleted, ${formatNumber(concerned)} detached first` : 'Deleted'
    default:
      return fate satisfies never
  }
}

/** Why an object of the tree is in the way, in a few words. */
export function causeText(cause: Blocker['cause']): string {
  switch (cause) {
    case 'protected':
      return 'Protected'
    case 'in_use':
      return 'In use'
    case 'state':
      return 'Not in its state'
    case 'contains':
    case 'too_many':
    case 'running':
      return 'In the way'
    default:
      return cause satisfies never
  }
}

/** `loader-001, loader-002 and 38 more`. */
export function namesText({ first, count }: Pick<Branch, 'first' | 'count'>): string {
  const names = first.map(({ name }) => name)
  const rest = count - names.length
  return formatSeries(rest > 0 ? [...names, `${formatNumber(rest)} more`] : names)
}

/** What is gone for good, a line each. */
export function lostText({ goes }: Pick<Plan, 'goes'>, isRecycled: boolean): string[] {
  const of = (kind: string) => goes.find((branch) => branch.kind === kind)
  const running = of('instance')?.concerned ?? 0
  const [ephemeral, floating, disks] = [of('external-ip'), of('floating-ip'), of('disk')]
  const blocks = of('external-subnet')
  return [
    ...(disks && disks.fate === 'deleted' && !isRecycled
      ? [`the contents of ${formatCount(disks.count, 'disk')}`]
      : []),
    ...(running > 0 ? [`what runs in memory: ${formatCount(running, 'instance')} stopped`] : []),
    ...(ephemeral
      ? [`${formatNumber(ephemeral.count)} ${pluralOf('external-ip', ephemeral.count)}: others may get them`]
      : []),
    ...(floating && !isRecycled
      ? [`the addresses of ${formatCount(floating.count, 'floating IP')}: others may get them`]
      : []),
    ...(blocks && !isRecycled
      ? [`the blocks of ${formatCount(blocks.count, 'external subnet')}: others may get them`]
      : []),
  ]
}

/** What the task does now. */
export function progressText({ done, total, waiting, now }: Deletion): string {
  const steps = `${formatNumber(done)} of ${formatNumber(total)} done`
  if (waiting > 0) return `${steps}, waiting for ${formatCount(waiting, 'instance')} to stop`
  return now ? `${steps}, now ${nounOf(now.kind)} ${now.name ?? ''}` : steps
}
