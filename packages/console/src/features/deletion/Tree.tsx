// @chunk change-plans: a saved plan shows what a deletion takes along.
import Camera from 'lucide-react/icons/camera'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Disc3 from 'lucide-react/icons/disc-3'
import Dot from 'lucide-react/icons/dot'
import HardDrive from 'lucide-react/icons/hard-drive'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import MapPin from 'lucide-react/icons/map-pin'
import Network from 'lucide-react/icons/network'
import Server from 'lucide-react/icons/server'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Users from 'lucide-react/icons/users'
import { Fragment, useState } from 'react'
import { capitalise } from '@gantry/api/base/errors.rules'
import { formatBytes, formatMemory, formatNumber } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { classes } from '#/ui/classes.ts'
import type { Blocker, Branch, Plan } from './queries.ts'
import { branchLabel, causeText, fateText, namesText, nounOf } from './words.ts'

const icons: Readonly<Record<string, typeof Server>> = {
  project: LayoutGrid,
  instance: Server,
  disk: HardDrive,
  snapshot: Camera,
  image: Disc3,
  vpc: Network,
  'floating-ip': MapPin,
  'ip-pool': MapPin,
  'external-subnet': MapPin,
  'subnet-pool': MapPin,
  policy: KeyRound,
  'silo-user': Users,
  'silo-group': Users,
}

/** All that goes, as one tree: the object, the kinds in it, and below them what belongs to those. */
export function Tree({ plan, isRecycled }: { plan: Plan; isRecycled: boolean }) {
  const { object, goes } = plan
  const storage = goes.reduce((sum, { storage: own, fate }) => sum + (fate === 'kept' ? 0 : (own ?? 0)), 0)
  return (
    <div className="overflow-x-auto rounded-block border border-line bg-page">
      <table
        aria-label={`What goes with the ${nounOf(object.kind)}`}
        className="w-full border-collapse text-left [&_td]:px-2.5 [&_td]:py-2 [&_th]:px-2.5 [&_th]:py-1.5 [&_th]:text-xs [&_th]:font-medium [&_th]:text-muted"
      >
        <thead className="bg-sunken">
          <tr className="border-b border-line">
            <th scope="col" className="w-2/5 max-sm:w-1/2">
              What goes
            </th>
            <th scope="col" className="text-right">
              Count
            </th>
            <th scope="col" className="text-right max-sm:hidden">
              Size
            </th>
            <th scope="col" className="sm:pl-8!">
              What becomes of it
            </th>
          </tr>
        </thead>
        <tbody className="[&>tr]:border-b [&>tr]:border-faint-line [&>tr:last-child]:border-0">
          <tr>
            <td>
              <Label kind={object.kind} text={`${rootNoun(object.kind)} ${object.name}`} depth={0} isStrong />
            </td>
            <td className="text-right tabular-nums">1</td>
            <td className="text-right tabular-nums max-sm:hidden">
              {storage > 0 ? formatBytes(storage) : <EmptyCell />}
            </td>
            <td className="sm:pl-8!">{isRecycled ? 'Recycle bin' : 'Deleted'}</td>
          </tr>
          <Branches plan={plan} isRecycled={isRecycled} under={null} depth={1} />
        </tbody>
      </table>
    </div>
  )
}

interface BranchesProps {
  plan: Plan
  isRecycled: boolean
  /** The kind of what these belong to; null for the object itself. */
  under: string | null
  depth: Depth
}
type Depth = 0 | 1 | 2 | 3

function Branches({ plan, isRecycled, under, depth }: BranchesProps) {
  const deeper = Math.min(3, depth + 1) as Depth
  return plan.goes
    .filter((branch) => branch.under === under)
    .map((branch) => (
      <Fragment key={branch.kind}>
        <BranchRow branch={branch} isRecycled={isRecycled} depth={depth} />
        {plan.blockers
          .filter((blocker) => blocker.kind === branch.kind && isOf(blocker, branch))
          .map((blocker) => (
            <BlockerRow key={blocker.first[0]?.id} blocker={blocker} depth={deeper} />
          ))}
        <Branches plan={plan} isRecycled={isRecycled} under={branch.kind} depth={deeper} />
      </Fragment>
    ))
}

/** In a silo, images are in the projects and beside them. */
const isOf = ({ count, first: [first] }: Blocker, branch: Branch): boolean =>
  count === 1 &&
  first !== undefined &&
  (branch.under !== null ||
    branch.count > branch.first.length ||
    branch.first.some(({ id }) => id === first.id))

function BlockerRow({ blocker: { cause, kind, first }, depth }: { blocker: Blocker; depth: Depth }) {
  return (
    <tr className="bg-busy-tint text-strong">
      <td>
        <Label kind={kind} text={first[0]?.name ?? ''} depth={depth} isStrong={false} />
      </td>
      <td className="text-right align-top tabular-nums">1</td>
      <td className="text-right align-top max-sm:hidden">
        <EmptyCell />
      </td>
      <td className="align-top sm:pl-8!">
        <span className="flex items-center gap-1.5">
          <TriangleAlert aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-busy-fill" />
          {causeText(cause)}
        </span>
      </td>
    </tr>
  )
}

/** The object itself is no link of another one. */
const rootNoun = (kind: string): string =>
  kind === 'silo' ? 'Silo' : kind === 'ip-pool' ? 'IP pool' : capitalise(nounOf(kind))

interface BranchProps {
  branch: Branch
  isRecycled: boolean
  depth: Depth
}

function BranchRow({ branch, isRecycled, depth }: BranchProps) {
  const [isOpen, setOpen] = useState(false)
  const { storage, memory } = branch
  return (
    <tr>
      <td>
        <Label
          kind={branch.kind}
          text={branchLabel(branch)}
          depth={depth}
          isStrong={depth === 1}
          names={branch.first.length > 0 ? { isOpen, toggle: () => setOpen(!isOpen) } : undefined}
        />
        {isOpen && (
          <p className={classes('mt-1 text-sm wrap-anywhere text-muted', namesIndents[depth])}>
            {namesText(branch)}
          </p>
        )}
      </td>
      <td className="text-right align-top tabular-nums">{formatNumber(branch.count)}</td>
      <td className="text-right align-top whitespace-nowrap tabular-nums max-sm:hidden">
        {storage !== null ? (
          formatBytes(storage)
        ) : memory !== null ? (
          <>
            {formatMemory(memory)} <span className="text-muted">memory</span>
          </>
        ) : (
          <EmptyCell />
        )}
      </td>
      <td className="align-top sm:pl-8!">{fateText(branch, isRecycled)}</td>
    </tr>
  )
}

interface LabelProps {
  kind: string
  text: string
  depth: Depth
  isStrong: boolean
  names?: { isOpen: boolean; toggle: () => void } | undefined
}

const indents = ['', 'pl-1 sm:pl-5', 'pl-3 sm:pl-11', 'pl-5 sm:pl-17'] as const
const namesIndents = ['', 'pl-6 sm:pl-17', 'pl-8 sm:pl-23', 'pl-10 sm:pl-29'] as const

function Label({ kind, text, depth, isStrong, names }: LabelProps) {
  const Icon = icons[kind] ?? Dot
  const Twist = names?.isOpen ? ChevronDown : ChevronRight
  const content = (
    <>
      {names ? (
        <Twist aria-hidden className="size-3.5 shrink-0 text-muted" />
      ) : (
        <span className="size-3.5 shrink-0 max-sm:hidden" />
      )}
      <Icon aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-faint max-sm:hidden" />
      <span className={classes('min-w-0 wrap-break-word', isStrong && 'font-medium text-strong')}>
        {text}
      </span>
    </>
  )
  const look = classes('flex items-center gap-2 text-left', indents[depth])
  if (!names) return <span className={look}>{content}</span>
  return (
    <button
      type="button"
      aria-expanded={names.isOpen}
      className={classes(look, 'relative')}
      onClick={names.toggle}
    >
      {content}
    </button>
  )
}
