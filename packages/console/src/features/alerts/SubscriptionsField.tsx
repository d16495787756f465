import { useFormField } from '#/features/common/forms/fields.tsx'
import { Field } from '#/ui/Field.tsx'
import { TextArea, TextInput } from '#/ui/TextInput.tsx'
import { ClassList } from './ClassList.tsx'
import { linesOf, subscriptionsProblem } from './words.ts'

const patternHint =
  '* stands for one part of a class, as in issue.*.began, and ** for one or more, as in issue.**'

/** Classes and patterns, one per line, with all classes to choose from. */
export function SubscriptionsField() {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('subscriptions', subscriptionsProblem)
  const lines = linesOf(value)
  return (
    <div className="space-y-3">
      <Field
        label="Subscriptions"
        hint={`One class or pattern per line. ${patternHint}`}
        error={error}
        optional
      >
        <TextArea
          ref={ref}
          name="subscriptions"
          mono
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </Field>
      <ClassList subscriptions={lines} onAdd={(name) => onChange([...lines, name].join('\n'))} />
    </div>
  )
}

/** One class or pattern, with all classes to choose from. */
export function SubscriptionField() {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('subscription', (text) =>
    text.trim() === '' ? 'Subscription is required' : subscriptionsProblem(text),
  )
  return (
    <div className="space-y-3">
      <Field label="Subscription" hint={`A class or a pattern. ${patternHint}`} error={error}>
        <TextInput
          ref={ref}
          name="subscription"
          mono
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onBlur}
        />
      </Field>
      <ClassList subscriptions={linesOf(value)} onAdd={onChange} />
    </div>
  )
}
