import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure, type Failure } from '#/data/failure.ts'
import { opQuery } from '#/data/queries.ts'
import { BinNote } from '#/kit/feedback/BinNote.tsx'
import { closeQuestion, type Question } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { isTasksOpen } from '#/kit/page/tasks-open.ts'
import { loadAsking } from '#/kit/plan/load-asking.ts'
import { movedPlan, needsSecond, type Plan, usePlansOffered } from '#/kit/plan/plan.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { ConfirmDialog } from '#/ui/overlays/ConfirmDialog.tsx'
import { toast } from '#/ui/overlays/toast.ts'

/** A server without the extension has no recycle bin. */
const binSettings = opQuery(op.recycleBinSettingsView, {}, async () => ({
  data: { hours: 0 },
  etag: undefined,
}))

const Foreseen = lazyPart(
  () => import('#/kit/plan/Foreseen.tsx'),
  'Foreseen',
  <Skeleton className="h-10 w-full" />,
)

/** Without them, if they cannot load: the message matters more. */
const linksOf = (failure: Failure) =>
  import('#/kit/feedback/refusal-links.tsx').then(
    ({ refusalLinks }) => refusalLinks([failure]),
    () => undefined,
  )

export function ConfirmSlot({ question }: { question: Question }) {
  const [isPending, setPending] = useState(false)
  const [isForGood, setForGood] = useState(false)
  const [plan, setPlan] = useState<Plan>()
  const [isMoved, setMoved] = useState(false)
  const [isRefusedAlone, setRefusedAlone] = useState(false)
  const hasPlans = usePlansOffered()
  const { data: bin } = useQuery({ ...binSettings, enabled: question.gone !== undefined })

  async function run(): Promise<void> {
    setPending(true)
    try {
      // A user who confirms before the plan is there does not wait for it.
      const send = plan && !isForGood ? (await loadAsking()).committing(plan) : undefined
      await question.run(isForGood, send)
      if (question.success && !(question.isTask && isTasksOpen.get())) toast.success(question.success)
    } catch (error) {
      const now = movedPlan(error)
      if (now) {
        setPlan(now)
        setMoved(true)
        return setPending(false)
      }
      if ((question.isPlanned || question.isSavable) && needsSecond(error)) {
        setRefusedAlone(true)
        return setPending(false)
      }
      const failure = asFailure(error)
      toast.error({
        title: question.errorTitle,
        text: failureText(failure),
        action: question.errorAction || (await linksOf(failure)),
      })
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
      {hasPlans && (question.isPlanned || question.parts || isRefusedAlone) && (
        <Foreseen question={question} plan={plan} isMoved={isMoved} onPlan={setPlan} />
      )}
      {question.gone !== undefined && (
        <BinNote
          hours={bin?.hours}
          gone={question.gone}
          isSeveral={question.isSeveral === true}
          isForGood={isForGood}
          onChange={setForGood}
        />
      )}
    </ConfirmDialog>
  )
}
