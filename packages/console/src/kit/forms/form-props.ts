import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ToastContent } from '#/ui/overlays/toast.ts'
import type { Tag } from '@gantry/api/tags/tag.rules'
import type { Send } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import type { RecordedStep } from '#/data/recording/recorded.ts'

/** Tags of the new object: `save` does not get them, because they go with the request that it sends by `send`. */
export const newTagsField = 'newTags'

/** Stands for the id of an object that the n-th request of a form creates. */
export const placeholderId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Props shared by side forms, page forms and dialogs. */
export interface FormProps<Values extends FieldValues, Saved> {
  title: string
  /** Read once, when the form opens. */
  initial: Values
  /**
   * Sends the values: `(values) => create.run({ body: values })`. Throws a `Failure`, or several in an
   * AggregateError. Where `reviewable`, or where the form offers
   * tags, it sends the request of the object by `send`. One that takes `send` is shown as code, too: before that request it
   * must do nothing but read, unless there is `codeOf`.
   */
  save: (values: Values, send?: Send) => Promise<Saved>
  /** Text of the toast: `Project <strong>x</strong> created`. */
  saved?: (result: Saved) => ToastContent
  /** Runs after a success. By default, the form closes. */
  onSaved?: (result: Saved) => void
  /** Rules across several fields, by the name of the field that shows the message. */
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>
  /**
   * The requests that `save` sends, in their order: of a form that sends several, for its code. What a request answers
   * with has the id of `placeholderId`, by which later ones name it.
   */
  codeOf?: (
    values: Values,
    tags: readonly Tag[],
  ) => readonly RecordedStep[] | Promise<readonly RecordedStep[]>
  /** `onSubmit`, and then at every change, unless users need the result at once. */
  mode?: 'onChange' | 'onSubmit'
  /** The field that shows a refusal of the values sent. A taken name goes to `name` automatically. */
  fieldOf?: (failure: Failure, sent: Values) => (keyof Values & string) | undefined
  /** Why the current values cannot be submitted, shown at the button. */
  whyNotYet?: (values: Values) => string | undefined
  /** Offers to show what it would do before it is done. */
  reviewable?: boolean
  /** Although `save` takes `send`, it does more than read before its request, or does not pass it on. */
  hasNoCode?: boolean
  /** Label of the submit button. */
  submitLabel?: string
  /** The label's -ing form. */
  pendingLabel?: string
  /** Why submitting is disabled, shown at the button. */
  disabled?: string | undefined
  children: ReactNode
}
