import type { FieldValues } from 'react-hook-form'
import type { ToastContent } from '#/ui/overlays/toast.ts'
import type { LinkTarget } from '../links/link-target.ts'
import { successMessage, linkedSuccessMessage } from '../feedback/success-message.tsx'
import { SideForm, type SideFormProps } from './SideForm.tsx'

type Words = 'title' | 'submitLabel' | 'pendingLabel' | 'saved'

type Props<Values extends FieldValues, Saved> = Omit<SideFormProps<Values, Saved>, Words> &
  Partial<Pick<SideFormProps<Values, Saved>, Words>> & {
    /** In lower case, as in `Create disk`. All other texts derive from it unless given. */
    kind: string
    /** The page of the saved object, if it has one. The success message links there. */
    pageOf?: (saved: Saved) => LinkTarget
  }

interface Named {
  name: string
}

function successMessageOf<Values extends FieldValues, Saved extends Named>(
  { kind, pageOf }: Pick<Props<Values, Saved>, 'kind' | 'pageOf'>,
  saved: Saved,
  what: string,
): ToastContent {
  return pageOf
    ? linkedSuccessMessage(kind, saved.name, what, pageOf(saved))
    : successMessage(kind, saved.name, what)
}

/** The panel that creates an object of a kind. */
export function CreateForm<Values extends FieldValues, Saved extends Named>(props: Props<Values, Saved>) {
  const { kind, pageOf: _, ...form } = props
  return (
    <SideForm
      title={`Create ${kind}`}
      pendingLabel={`Creating ${kind}`}
      saved={(result) => successMessageOf(props, result, 'created')}
      {...form}
    />
  )
}

/** The panel that edits an object of a kind. */
export function EditForm<Values extends FieldValues, Saved extends Named>(props: Props<Values, Saved>) {
  const { kind, pageOf: _, ...form } = props
  return (
    <SideForm
      title={`Edit ${kind}`}
      submitLabel={`Update ${kind}`}
      pendingLabel={`Updating ${kind}`}
      saved={(result) => successMessageOf(props, result, 'updated')}
      {...form}
    />
  )
}
