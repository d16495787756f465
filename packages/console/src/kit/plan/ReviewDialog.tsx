// @chunk change-plans: of reviews and confirmations, which users open after the page.
import ArrowLeft from 'lucide-react/icons/arrow-left'
import X from 'lucide-react/icons/x'
import { useId } from 'react'
import { Button, IconButton } from '#/ui/Button.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { Modal } from '#/ui/overlays/Modal.tsx'
import type { Asked } from './plan.ts'
import { commitLabel } from './plan-words.ts'
import { SavePlan, useWhyNotAlone } from './SavePlan.tsx'
import { MadeAt, PlanView } from './PlanView.tsx'

interface ReviewProps {
  /** What it reviews, as the form's title says it. */
  title: string
  asked: Asked
  /** Something changed between the review and the commit, and this is the plan of now. */
  isMoved: boolean
  isPending: boolean
  onCommit: () => void
  /** The plan keeps what was typed. */
  onSaved: () => void
  onClose: () => void
}

/** Shows what a form would do before it does it. The form stays below, with all that was typed. */
export function ReviewDialog({ title, asked, isMoved, isPending, onCommit, onSaved, onClose }: ReviewProps) {
  const { plan } = asked
  const whyNotAlone = useWhyNotAlone(asked)
  const titleId = useId()
  const close = () => {
    if (!isPending) onClose()
  }
  return (
    <Modal
      aria-labelledby={titleId}
      onRequestClose={close}
      className="m-0 h-dvh max-h-none w-screen max-w-none overflow-hidden bg-page text-text outline-none"
    >
      <div className="flex h-full flex-col">
        {/* Nothing in it may take the focus, so that keys can scroll it. */}
        <div
          role="region"
          aria-labelledby={titleId}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
          tabIndex={0}
          className="min-h-0 grow overflow-y-auto overscroll-contain px-gutter py-5 -outline-offset-2"
        >
          <div className="mx-auto max-w-page">
            <div className="mb-5 flex flex-wrap items-center gap-x-2.5 gap-y-1 pr-12">
              <h2 id={titleId} className="text-xl wrap-anywhere">
                {`Review: ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
              </h2>
              <Tag>Plan</Tag>
              <span className="text-sm text-muted">nothing has changed yet</span>
            </div>
            <div role="status">
              {isMoved && (
                <Note kind="busy" className="mb-4" title="What this would do has changed meanwhile">
                  <p>Nothing was changed. This is what it would do now.</p>
                </Note>
              )}
            </div>
            {whyNotAlone && (
              <Note kind="busy" className="mb-4" title="A second person commits this">
                <p>{whyNotAlone}</p>
              </Note>
            )}
            <PlanView plan={plan} about={<MadeAt time={asked.time} />} />
          </div>
        </div>
        <div className="flex min-h-16 shrink-0 flex-wrap items-center gap-2 border-t border-line bg-page px-gutter py-3">
          <Button size="lg" data-initial-focus className="mr-auto" onClick={close}>
            <ArrowLeft aria-hidden className="size-4" />
            Back to editing
          </Button>
          <SavePlan asked={asked} kind={whyNotAlone ? 'primary' : 'default'} onSaved={onSaved} />
          <Button
            size="lg"
            kind={whyNotAlone ? 'default' : 'primary'}
            disabledReason={whyNotAlone}
            pending={isPending}
            pendingLabel="Committing"
            onClick={onCommit}
          >
            {commitLabel(plan)}
          </Button>
        </div>
      </div>
      <IconButton label="Close" kind="quiet" className="absolute! top-4 right-4" onClick={close}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </Modal>
  )
}
