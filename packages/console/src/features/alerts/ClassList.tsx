import { alertClasses, alertClassNames, probeClass } from '@gantry/api/alert.rules'
import { Button } from '#/ui/Button.tsx'
import { coveredBy } from './words.ts'

const offered = alertClassNames.filter((name) => name !== probeClass)

interface Props {
  /** What the form holds, so that each class tells whether it is included. */
  subscriptions: readonly string[]
  onAdd: (name: string) => void
}

/** Every class with its meaning. */
export function ClassList({ subscriptions, onAdd }: Props) {
  const covered = coveredBy(subscriptions)
  return (
    <section aria-label="Alert classes" className="max-w-form">
      <h3 className="mb-1 text-sm font-medium text-strong">Alert classes</h3>
      <ul className="rounded-control border border-line text-sm">
        {offered.map((name) => (
          <li
            key={name}
            className="flex min-h-11 items-center gap-2 border-b border-faint-line px-2.5 py-1.5 last:border-b-0"
          >
            <div className="min-w-0 grow wrap-anywhere">
              <code className="font-mono text-[0.8125rem] text-strong">{name}</code>
              <span className="block text-muted">{alertClasses[name]}</span>
            </div>
            {covered.has(name) ? (
              <span className="px-3 text-muted">Included</span>
            ) : (
              <Button kind="quiet" aria-label={`Add ${name}`} onClick={() => onAdd(name)}>
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
