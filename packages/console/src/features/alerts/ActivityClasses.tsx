import { type ActivityAction, activityWords } from '@gantry/api/history/activity.rules'
import { kindNouns } from '@gantry/api/kind.gen'
import { covers } from '@gantry/api/system/alert.rules'
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { Select } from '#/ui/inputs/Select.tsx'

interface Props {
  /** Every class of activity that the server raises. */
  classes: readonly string[]
  subscriptions: readonly string[]
  onAdd: (subscription: string) => void
}

/** `Firewall rule`, of the part of a class that names a kind. */
function nounOf(part: string): string {
  const kind = part.replaceAll('_', '-')
  return sentenceCase(kindNouns[kind] ?? kind.replaceAll('-', ' '))
}

const doneOf = (action: string): string =>
  Object.hasOwn(activityWords, action) ? activityWords[action as ActivityAction].done : action

const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label)

/** Chooses a class or a pattern of activity by what happens to which objects: the classes are too many to list. */
export function ActivityClasses({ classes, subscriptions, onAdd }: Props) {
  const [kind, setKind] = useState('')
  const [action, setAction] = useState('')
  const parts = classes.map((name) => name.split('.'))
  const kinds = [...new Set(parts.map(([, of = '']) => of))]
  const actions = [
    ...new Set(parts.flatMap(([, of, done = '']) => (kind === '' || of === kind ? [done] : []))),
  ]
  const chosen = actions.includes(action) ? action : ''
  const pattern = kind === '' && chosen === '' ? 'activity.**' : `activity.${kind || '*'}.${chosen || '*'}`
  const isIncluded = subscriptions.some(
    (each) =>
      each === pattern || classes.filter((name) => covers(pattern, name)).every((name) => covers(each, name)),
  )
  return (
    <section aria-label="Activity classes" className="max-w-form">
      <h3 className="text-sm font-medium text-strong">Activity</h3>
      <p className="mb-1.5 text-sm text-muted">
        What happens in the fleet, and in the projects that the receiver has.
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        <Select
          aria-label="Object"
          options={[
            { value: '', label: 'Any object' },
            ...kinds.map((value) => ({ value, label: nounOf(value) })).sort(byLabel),
          ]}
          value={kind}
          onChange={setKind}
        />
        <Select
          aria-label="What happens"
          options={[
            { value: '', label: 'Anything' },
            ...actions.map((value) => ({ value, label: doneOf(value) })).sort(byLabel),
          ]}
          value={chosen}
          onChange={setAction}
        />
      </div>
      <div className="mt-2 flex min-h-9 items-center gap-2">
        <code className="min-w-0 grow font-mono text-[0.8125rem] wrap-anywhere text-strong">{pattern}</code>
        {isIncluded ? (
          <span className="px-3 text-sm text-muted">Included</span>
        ) : (
          <Button kind="quiet" aria-label={`Add ${pattern}`} onClick={() => onAdd(pattern)}>
            Add
          </Button>
        )}
      </div>
    </section>
  )
}
