// @chunk apart: a form, which few open.
import { viewNameProblem } from '@gantry/api/views/list-preference.rules'
import { DialogForm } from '../../forms/DialogForm.tsx'
import { TextField } from '../../forms/fields.tsx'

interface Props {
  title: string
  name: string
  /** The names of the other views. */
  others: readonly string[]
  onName: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a view. */
export function ViewNameDialog({ title, name, others, onName, onClose }: Props) {
  return (
    <DialogForm
      title={title}
      width="narrow"
      initial={{ name }}
      save={(values) => {
        onName(values.name.trim())
        return Promise.resolve(values)
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        hint="Filter, order and columns of the list are kept under it, for you alone."
        problem={(value) => viewNameProblem(value.trim(), others)}
      />
    </DialogForm>
  )
}
