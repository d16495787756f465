// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { isPastKind } from '@gantry/api/history/past.rules'
import Bot from 'lucide-react/icons/bot'
import ChevronRight from 'lucide-react/icons/chevron-right'
import KeyRound from 'lucide-react/icons/key-round'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { changedLink } from '#/features/audit/links.ts'
import { isRecycled, RestoreLink } from '#/features/recycle-bin/RestoreLink.tsx'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { type ShownDifference, shownDifferences } from '#/kit/page/difference-words.ts'
import { DifferenceList } from '#/kit/page/DifferenceList.tsx'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { formatNumber, formatTimeToSecond, plural } from '#/ui/data/format.ts'
import { StateMark } from '#/ui/data/StatePlate.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import type { ActivityEntry, ActivityScope } from './queries.ts'
import { lengthText } from '#/kit/page/length-text.ts'
import { byText, effectsOf, problemOf, sentenceOf } from './words.ts'

const RevertDialog = lazyPart(() => import('./RevertDialog.tsx'), 'RevertDialog')
const PastDialog = lazyPart(() => import('./PastDialog.tsx'), 'PastDialog')

/** Longer differences are folded. */
const shownAtOnce = 2

interface Props {
  entry: ActivityEntry
  scope: ActivityScope
  /** Its object was deleted since, as another entry tells. */
  isGone: boolean
  /** Whether it is selected; undefined where it cannot be. */
  picked?: boolean | undefined
  onPick?: (() => void) | undefined
}

/** One entry: when, who, what, from what to what, and for how long. */
export function EntryRow({ entry, scope, isGone, picked, onPick }: Props) {
  const { changes, requestId } = entry
  const [lead] = changes
  const [isReverting, setReverting] = useState(false)
  const problem = problemOf(entry)
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] gap-x-2 border-b border-faint-line py-2.5 md:grid-cols-[5.25rem_1.75rem_minmax(0,1fr)_auto] md:py-[0.4375rem]">
      <time
        dateTime={entry.time.toISOString()}
        className="text-sm leading-5 text-muted tabular-nums max-md:col-start-2 max-md:row-start-1 md:leading-6"
      >
        {formatTimeToSecond(entry.time)}
      </time>
      {picked === undefined ? (
        <Face actor={entry.actor} />
      ) : (
        <span className="grid size-6 place-items-center max-md:row-span-2 max-md:row-start-1">
          <Checkbox aria-label={`Select ${textOf(entry)}`} checked={picked} onChange={onPick} />
        </span>
      )}
      <div className="min-w-0 leading-6 wrap-anywhere max-md:col-span-2 max-md:col-start-2">
        <Sentence entry={entry} scope={scope} isGone={isGone} />
        <p className="text-sm text-muted">
          {byText(entry)}
          <Past entry={entry} scope={scope} />
        </p>
        {problem && <p className="text-sm text-strong">{problem}</p>}
        <Difference differences={changes.flatMap(({ differences }) => shownDifferences(differences))} />
        {effectsOf(entry).map((effect) => (
          <p key={effect} className="text-sm text-muted">
            {effect}
          </p>
        ))}
      </div>
      <div className="flex gap-3 text-sm text-muted tabular-nums max-md:col-span-2 max-md:col-start-2 md:grid md:h-6 md:grid-cols-[5.5rem_6.5rem_6.5rem] md:items-center md:justify-items-end md:gap-0">
        <span>{tookText(entry)}</span>
        {requestId !== null && (
          <span className="inline-flex items-center gap-0.5">
            <span className="font-mono text-xs">{requestId.slice(0, 8)}</span>
            <CopyButton text={requestId} />
          </span>
        )}
        {entry.isRevertible && (
          <Button className="h-7! max-md:ml-auto md:col-start-3" onClick={() => setReverting(true)}>
            <Undo2 aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
            Revert…
          </Button>
        )}
        {lead?.action === 'deleted' && entry.outcome === 'done' && isRecycled(lead.kind) && (
          <RestoreLink
            objectId={lead.id}
            // The silo's bin also finds what was in a project that is gone.
            project={lead.kind === 'project' || scope.of === 'silo' ? undefined : entry.project?.name}
            className="h-7! max-md:ml-auto md:col-start-3"
          />
        )}
      </div>
      {isReverting && <RevertDialog entry={entry} onClose={() => setReverting(false)} />}
    </li>
  )
}

/** Leads to the object as the entry left it; of a deletion, as it was before. */
function Past({ entry, scope }: Pick<Props, 'entry' | 'scope'>) {
  const [isOpen, setOpen] = useState(false)
  const { outcome, changes, time } = entry
  const about = changes.find(({ id }) => id === scope.object) ?? changes[0]
  if (!about || outcome === 'refused' || !isPastKind(about.kind)) return null
  const { kind, id, name, action } = about
  return (
    <>
      {' · '}
      <button type="button" className="link" onClick={() => setOpen(true)}>
        As it was then
      </button>
      {isOpen && (
        <PastDialog
          {...{ kind, id, name }}
          at={time}
          isBefore={action === 'deleted'}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** What it says, without the rest of its line. */
function textOf(entry: ActivityEntry): string {
  const { before, name, after } = sentenceOf(entry)
  return `${before}${name}${after}, ${formatTimeToSecond(entry.time)}`
}

function tookText({ outcome, tookMs }: ActivityEntry): string {
  if (outcome === 'under_way') return 'Under way'
  return tookMs === null ? '' : lengthText(tookMs)
}

/** A person's letter, a key for a token, a robot for the platform. */
function Face({ actor }: Pick<ActivityEntry, 'actor'>) {
  return (
    <span
      aria-hidden
      className="grid size-6 place-items-center rounded-full bg-idle-tint text-xs font-semibold text-text max-md:row-span-2 max-md:row-start-1 [&>svg]:size-3.5"
    >
      {actor.kind === 'platform' ? (
        <Bot strokeWidth={1.75} />
      ) : actor.authMethod === 'access_token' || actor.kind === 'scim' ? (
        <KeyRound strokeWidth={1.75} />
      ) : (
        (actor.name ?? '?').charAt(0).toUpperCase()
      )}
    </span>
  )
}

const glyphs = { refused: 'fail', failed: 'fail', under_way: 'busy' } as const

function Sentence({ entry, scope, isGone }: Pick<Props, 'entry' | 'scope' | 'isGone'>) {
  const { siloName } = useCurrentUser()
  const { outcome, changes, project, silo } = entry
  const { before, name, after } = sentenceOf(entry)
  const [lead] = changes
  const link =
    lead && !isGone && lead.id !== scope.object
      ? changedLink(
          {
            kind: lead.kind,
            op: lead.action === 'deleted' && outcome === 'done' ? 'delete' : 'update',
            objectId: lead.id,
            name: lead.name,
            project,
            silo,
            isVisible: true,
          },
          siloName,
          scope.of === 'fleet' ? 'fleet' : 'silo',
        )
      : undefined
  return (
    <p>
      {outcome !== 'done' && (
        <span className="mr-1.5 inline-flex align-[-0.0625rem]">
          <StateMark family={glyphs[outcome]} />
        </span>
      )}
      {before}
      {link ? (
        <PageLink {...link} className="name">
          {name}
        </PageLink>
      ) : (
        <b className="font-medium text-strong">{name}</b>
      )}
      {after}
      {scope.of !== 'project' && project && lead?.kind !== 'project' && (
        <span className="text-muted"> in {project.name}</span>
      )}
    </p>
  )
}

/** From what to what, behind an edge. A long one is folded. */
function Difference({ differences }: { differences: readonly ShownDifference[] }) {
  if (differences.length === 0) return null
  const list = <DifferenceList differences={differences} />
  if (differences.length <= shownAtOnce) return list
  return (
    <details className="group">
      <summary className="-ml-1 inline-flex list-none items-center gap-1 rounded-tag px-1 text-sm text-muted hover:text-strong [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 transition-transform duration-(--time-quick) group-open:rotate-90"
        />
        {formatNumber(differences.length)} {plural('change', differences.length)}
      </summary>
      {list}
    </details>
  )
}
