import ScrollText from 'lucide-react/icons/scroll-text'
import { PageLink } from '#/features/common/PageLink.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'

/** Leads the admins of a silo to what was done in it. */
export function AuditLogLink({ whyNot }: { whyNot: string | undefined }) {
  const content = (
    <>
      <ScrollText aria-hidden strokeWidth={1.75} className="size-4" />
      Audit log
    </>
  )
  return (
    <p className="mt-4">
      {whyNot ? (
        <Button disabledReason={whyNot}>{content}</Button>
      ) : (
        <PageLink to="/audit-log" className={buttonClass()}>
          {content}
        </PageLink>
      )}
    </p>
  )
}
