import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { type Asked, confirmSlot } from '#/features/common/confirm-slot.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { ConfirmDialog } from '#/ui/ConfirmDialog.tsx'
import { toast } from '#/ui/toast.ts'

export function ConfirmSlot({ asked }: { asked: Asked }) {
  const [isPending, setPending] = useState(false)

  async function run(): Promise<void> {
    setPending(true)
    try {
      await asked.run()
      if (asked.success) toast.success(asked.success)
    } catch (error) {
      const failure = asFailure(error)
      toast.error({ title: asked.errorTitle, text: failureText(failure), action: asked.errorAction })
    }
    confirmSlot.close(asked)
  }

  return (
    <ConfirmDialog
      title={asked.title}
      kind={asked.kind ?? 'primary'}
      pending={isPending}
      {...(asked.confirmLabel && { confirmLabel: asked.confirmLabel })}
      {...(asked.cancelLabel && { cancelLabel: asked.cancelLabel })}
      {...(asked.pendingLabel && { pendingLabel: asked.pendingLabel })}
      onConfirm={() => void run()}
      onCancel={() => confirmSlot.close(asked)}
    >
      {asked.content}
    </ConfirmDialog>
  )
}
