// @chunk apart: forms, which few open.
import * as op from '@gantry/api/client/operations.gen'
import { viewNameProblem } from '@gantry/api/views/list-preference.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { ColumnChoice } from '#/data/list-preferences.ts'
import { opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '../../feedback/success-message.tsx'
import { RadioField } from '../../forms/choice-fields.tsx'
import { DialogForm } from '../../forms/DialogForm.tsx'
import { TextField } from '../../forms/fields.tsx'
import type { ListPlace } from '../found-list.ts'
import type { SharedView } from './use-shared-views.ts'

interface Contents {
  filter: string
  sort: string
  columns: ColumnChoice[]
}

interface SaveProps {
  list: string
  place: ListPlace | undefined
  /** With whom it can be shared; undefined where it cannot. */
  where: string | undefined
  whyNotShare: string | undefined
  whyNotOwn: string | undefined
  ownNames: readonly string[]
  sharedNames: readonly string[]
  contents: Contents
  onOwn: (name: string) => void
  onShared: (view: SharedView) => void
  onClose: () => void
}

type Audience = 'me' | 'all'
type Values = { name: string; audience: Audience }

/** Keeps what a list shows under a name, for oneself or for others too. */
export function SaveViewDialog(props: SaveProps) {
  const { list, place, where, whyNotShare, whyNotOwn, contents, onOwn, onShared, onClose } = props
  const share = useOp(op.sharedViewCreate)
  const problemFor = ({ audience }: Pick<Values, 'audience'>) => (audience === 'me' ? whyNotOwn : whyNotShare)
  return (
    <DialogForm<Values, SharedView | undefined>
      title="Save view"
      width="narrow"
      hasNoCode
      initial={{ name: '', audience: 'me' }}
      whyNotYet={problemFor}
      save={async ({ name, audience }) => {
        if (audience === 'me') {
          onOwn(name)
          return undefined
        }
        return share.run({
          query: place?.project === undefined ? {} : { project: place.project },
          body: { list, name, ...contents },
        })
      }}
      onSaved={(view) => {
        if (view) onShared(view)
      }}
      onClose={onClose}
    >
      <NewName {...props} />
      {where !== undefined && (
        <RadioField<Audience>
          name="audience"
          label="For"
          column
          options={[
            { value: 'me', label: 'You alone' },
            { value: 'all', label: `All users of ${where}` },
          ]}
        />
      )}
    </DialogForm>
  )
}

function NewName({ ownNames, sharedNames }: SaveProps) {
  const audience = useWatch<Values, 'audience'>({ name: 'audience' })
  const others = audience === 'me' ? ownNames : sharedNames
  return (
    <TextField
      name="name"
      label="Name"
      hint="Filter, order and columns of the list are kept under it."
      problem={(value) => viewNameProblem(value.trim(), others)}
    />
  )
}

interface RenameProps {
  /** The names of the other views. */
  others: readonly string[]
  onClose: () => void
}

/** Renames a view of one's own. */
export function RenameViewDialog({
  name,
  others,
  onName,
  onClose,
}: RenameProps & { name: string; onName: (name: string) => void }) {
  return (
    <DialogForm
      title="Rename view"
      width="narrow"
      hasNoCode
      initial={{ name }}
      save={(values) => {
        onName(values.name)
        return Promise.resolve(values)
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        hint="The view is for you alone."
        problem={(value) => viewNameProblem(value.trim(), others)}
      />
    </DialogForm>
  )
}

interface SharedProps {
  id: string
  /** With whom it is shared. */
  where: string
  onClose: () => void
}

const viewOf = (id: string) => ({ ...opQuery(op.sharedViewView, { path: { sharedView: id } }), gcTime: 0 })

/** Renames a shared view, unless another user has changed it since the form opened. */
export function RenameSharedDialog({ id, where, others, onClose }: SharedProps & RenameProps) {
  const view = viewOf(id)
  const { data: seen } = useSuspenseQuery(view)
  const update = useOp(op.sharedViewUpdate, { sees: view })
  return (
    <DialogForm
      title="Rename view"
      width="narrow"
      initial={{ name: seen.name }}
      save={({ name }, send) => update.run({ path: { sharedView: id }, body: { name } }, send)}
      saved={({ name }) => successMessage('View', name, 'renamed')}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        hint={`The view is for all users of ${where}.`}
        problem={(value) => viewNameProblem(value.trim(), others)}
      />
    </DialogForm>
  )
}

/** Saves the present filter, order and columns as those of a shared view. */
export function ReplaceSharedDialog({
  id,
  where,
  contents,
  onSaved,
  onClose,
}: SharedProps & { contents: Contents; onSaved: () => void }) {
  const view = viewOf(id)
  const { data: seen } = useSuspenseQuery(view)
  const update = useOp(op.sharedViewUpdate, { sees: view })
  return (
    <DialogForm
      title="Save changes for all"
      width="narrow"
      initial={{}}
      save={(_values, send) => update.run({ path: { sharedView: id }, body: contents }, send)}
      saved={({ name }) => successMessage('View', name, 'saved')}
      onSaved={onSaved}
      onClose={onClose}
    >
      <p>
        All users of {where} see <strong>{seen.name}</strong> like this from then on.
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Text label="Filter, so far" text={seen.filter} />
        <Text label="Filter, new" text={contents.filter} />
      </dl>
    </DialogForm>
  )
}

const Text = ({ label, text }: { label: string; text: string }) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd className="font-mono break-words">{text || 'none'}</dd>
  </>
)
