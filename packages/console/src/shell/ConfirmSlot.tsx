import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { closeQuestion, type Question } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { ConfirmDialog } from '#/ui/overlays/ConfirmDialog.tsx'
import { toast } from '#/ui/overlays/toast.ts'

export function ConfirmSlot({ question }: { question: Question }) {
  const [isPending, setPending] = useState(false)

  async function run(): Promise<void> {
    setPending(true)
    try {
      await question.run()
      if (question.success) toast.success(question.success)
    } catch (error) {
      const failure = asFailure(error)
      toast.error({ title: question.errorTitle, text: failureText(failure), action: question.errorAction })
    }
    closeQuestion(question)
  }

  return (
    <ConfirmDialog
      title={question.title}
      kind={question.kind ?? 'primary'}
      pending={isPending}
      {...(question.confirmLabel && { confirmLabel: question.confirmLabel })}
      {...(question.cancelLabel && { cancelLabel: question.cancelLabel })}
      {...(question.pendingLabel && { pendingLabel: question.pendingLabel })}
      onConfirm={() => void run()}
      onCancel={() => closeQuestion(question)}
    >
      {question.content}
    </ConfirmDialog>
  )
}
