// @chunk apart: a form, which the page of an account opens for few.
import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { overlaps, overlapWords } from '@gantry/api/people/service-account.rules'
import { useOp } from '#/data/use-op.ts'
import type { TokenDetails } from '#/features/access-tokens/queries.ts'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { accountAt } from './queries.ts'

type Made = OutputOf<'serviceAccountTokenRotate'>

interface Props {
  project: string | undefined
  account: string
  token: TokenDetails
  onReplaced: (made: Made) => void
  onClose: () => void
}

/** Replaces a token by one like it; both serve for a while, in which programs learn the new one. */
export function RotateDialog({ project, account, token, onReplaced, onClose }: Props) {
  const rotate = useOp(op.serviceAccountTokenRotate)
  const at = accountAt(project, account)
  return (
    <DialogForm<{ overlap: string }, Made>
      title={`Replace token ${token.name ?? ''}`}
      submitLabel="Replace token"
      pendingLabel="Replacing token"
      initial={{ overlap: '86400' }}
      save={({ overlap }, send) =>
        rotate.run(
          {
            ...at,
            path: { ...at.path, tokenId: token.id },
            body: { overlapSeconds: Number(overlap) },
          },
          send,
        )
      }
      saved={() => 'Access token replaced'}
      onSaved={onReplaced}
      onClose={onClose}
    >
      <p className="text-muted">
        The new token may do the same, for as long as this one was made for. It is shown once.
      </p>
      <RadioField
        name="overlap"
        label="This token ends"
        options={overlaps.map((seconds) => ({ value: String(seconds), label: overlapWords[seconds] }))}
      />
    </DialogForm>
  )
}
