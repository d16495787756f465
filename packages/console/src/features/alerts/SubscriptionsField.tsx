import { covers, probeClass } from '@gantry/api/system/alert.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTextField } from '#/kit/forms/fields.tsx'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextArea, TextInput } from '#/ui/inputs/TextInput.tsx'
import { ActivityClasses } from './ActivityClasses.tsx'
import { allAlertClasses } from './queries.ts'
import { linesOf, subscriptionsProblem } from './words.ts'

const patternHint =
  '* stands for one part of a class, as in issue.*.began, and ** for one or more, as in issue.**'

/** Classes and patterns, one per line, with all classes to choose from. */
export function SubscriptionsField() {
  const { input, setText, error } = useTextField('subscriptions', subscriptionsProblem)
  const lines = linesOf(input.value)
  return (
    <div className="space-y-3">
      <Field
        label="Subscriptions"
        hint={`One class or pattern per line. ${patternHint}`}
        error={error}
        optional
      >
        <TextArea {...input} mono />
      </Field>
      <ClassList subscriptions={lines} onAdd={(name) => setText([...lines, name].join('\n'))} />
    </div>
  )
}

/** One class or pattern, with all classes to choose from. */
export function SubscriptionField() {
  const { input, setText, error } = useTextField('subscription', (text) =>
    text.trim() === '' ? 'Subscription is required' : subscriptionsProblem(text),
  )
  return (
    <div className="space-y-3">
      <Field label="Subscription" hint={`A class or a pattern. ${patternHint}`} error={error}>
        <TextInput {...input} mono />
      </Field>
      <ClassList subscriptions={linesOf(input.value)} onAdd={setText} />
    </div>
  )
}

interface Props {
  /** The form's patterns, so that each class shows whether they include it. */
  subscriptions: readonly string[]
  onAdd: (name: string) => void
}

/** Every class that the server raises, with its description. Probes have no subscriptions. */
function ClassList({ subscriptions, onAdd }: Props) {
  const { data: classes } = useSuspenseQuery(allAlertClasses)
  const isOfActivity = ({ name }: { name: string }) => name.startsWith('activity.')
  const offered = classes.filter((each) => each.name !== probeClass && !isOfActivity(each))
  const activity = classes.filter(isOfActivity).map(({ name }) => name)
  return (
    <>
      {activity.length > 0 && (
        <ActivityClasses classes={activity} subscriptions={subscriptions} onAdd={onAdd} />
      )}
      <Listed classes={offered} subscriptions={subscriptions} onAdd={onAdd} />
    </>
  )
}

interface ListedProps extends Props {
  classes: readonly { name: string; description: string }[]
}

function Listed({ classes, subscriptions, onAdd }: ListedProps) {
  return (
    <section aria-label="Alert classes" className="max-w-form">
      <h3 className="mb-1 text-sm font-medium text-strong">Alert classes</h3>
      <ul className="rounded-control border border-line text-sm">
        {classes.map(({ name, description }) => (
          <li
            key={name}
            className="flex min-h-11 items-center gap-2 border-b border-faint-line px-2.5 py-1.5 last:border-b-0"
          >
            <div className="min-w-0 grow wrap-anywhere">
              <code className="font-mono text-[0.8125rem] text-strong">{name}</code>
              <span className="block text-muted">{description}</span>
            </div>
            {subscriptions.some((each) => covers(each, name)) ? (
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
