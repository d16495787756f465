import * as op from '@gantry/api/client/operations.gen'
import { canBeStopped, type ProtectedKind, protectionReasonMax } from '@gantry/api/history/protection.rules'
import { useOp } from '#/data/use-op.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { CheckboxField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { formatNumber } from '#/ui/data/format.ts'
import type { Protection } from './queries.ts'
import { protectionText } from './words.ts'

const nouns: Readonly<Record<ProtectedKind, string>> = {
  instance: 'instance',
  disk: 'disk',
  image: 'image',
  'floating-ip': 'floating IP',
  'external-subnet': 'external subnet',
  vpc: 'VPC',
  project: 'project',
}

interface Props {
  kind: ProtectedKind
  object: { id: string; name: string }
  /** As it is; undefined if it is not protected. */
  protection: Protection | undefined
  onClose: () => void
}

interface Values {
  noDelete: boolean
  noStop: boolean
  reason: string
}

export function ProtectDialog({ kind, object: { id, name }, protection, onClose }: Props) {
  const update = useOp(op.protectionUpdate)
  const noun = nouns[kind]
  const canStop = canBeStopped(kind)
  return (
    <DialogForm<Values, Protection>
      title={protection ? 'Change protection' : `Protect ${noun}`}
      submitLabel={protection ? 'Save' : 'Protect'}
      pendingLabel={protection ? 'Saving' : 'Protecting'}
      initial={{
        noDelete: protection?.noDelete ?? true,
        noStop: protection?.noStop ?? false,
        reason: protection?.reason ?? '',
      }}
      whyNotYet={({ noDelete, noStop }) =>
        noDelete || noStop ? undefined : 'Select what the protection is against'
      }
      save={(body, send) => update.run({ path: { objectId: id }, query: { kind }, body }, send)}
      saved={() => successMessage(noun, name, 'is protected')}
      onClose={onClose}
    >
      {canStop ? (
        <fieldset>
          <legend className="mb-2.5">
            What cannot be done to <strong>{name}</strong> until the protection is taken off
          </legend>
          <div className="space-y-2">
            <CheckboxField name="noDelete">Delete</CheckboxField>
            <CheckboxField name="noStop">Stop or force off</CheckboxField>
          </div>
        </fieldset>
      ) : (
        <p>
          <strong>{name}</strong> cannot be deleted until the protection is taken off.
        </p>
      )}
      <TextField
        name="reason"
        label="Reason"
        hint="Shown with your name wherever the action is. Everyone who may edit the object may take the protection off."
        placeholder="Holds the payroll until the audit"
        problem={(text) =>
          text.length > protectionReasonMax
            ? `At most ${formatNumber(protectionReasonMax)} characters`
            : undefined
        }
      />
    </DialogForm>
  )
}

export function TakeOffDialog({ kind, object: { id, name }, protection, onClose }: Props) {
  const remove = useOp(op.protectionRemove)
  return (
    <DialogForm<Record<string, never>, unknown>
      title="Take protection off"
      submitLabel="Take off"
      pendingLabel="Taking off"
      initial={{}}
      save={(_, send) => remove.run({ path: { objectId: id }, query: { kind } }, send)}
      saved={() => successMessage(nouns[kind], name, 'is no longer protected')}
      onClose={onClose}
    >
      <p>
        Are you sure you want to take the protection off <strong>{name}</strong>?
      </p>
      {protection && <p>{protectionText(protection)}</p>}
    </DialogForm>
  )
}
