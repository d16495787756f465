import ArrowRight from 'lucide-react/icons/arrow-right'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { RestorePlan } from './queries.ts'
import { stepText } from './words.ts'

interface NotYet {
  title: string
  name: string
  /** Undefined while the plan is read. */
  whyNot: string | null | undefined
  onClose: () => void
}

/** In place of a plan: it is being read, or nothing can be restored now. */
export function RestoreNotYet({ title, name, whyNot, onClose }: NotYet) {
  return (
    <DialogForm
      title={title}
      submitLabel="Restore"
      pendingLabel="Restoring"
      disabled={whyNot ?? undefined}
      initial={{}}
      save={async () => undefined}
      saved={() => 'Restored'}
      onClose={onClose}
    >
      {whyNot ? (
        <p>
          <strong className="wrap-anywhere">{name}</strong> cannot be restored now: {whyNot}
        </p>
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
    </DialogForm>
  )
}

type Step = RestorePlan['steps'][number]

const signs = { back: Check, changed: ArrowRight, lost: X }

/** What becomes of parts: the sign says it again. */
export function Outcome({ title, steps }: { title: string; steps: readonly Step[] }) {
  if (steps.length === 0) return null
  return (
    <section>
      <h3 className="mb-1 font-semibold text-strong">{title}</h3>
      <ul className="grid gap-1">
        {steps.map((step) => {
          const Sign = signs[step.outcome]
          return (
            <li key={`${step.kind} ${step.id ?? step.name}`} className="flex gap-2">
              <Sign aria-hidden strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0 wrap-anywhere">
                {stepText(step)}
                {step.detail && <span className="text-muted">{`. ${step.detail}`}</span>}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
