import { PageLink } from '#/features/common/PageLink.tsx'
import { Button, buttonClass } from '#/ui/Button.tsx'

/** Leads the admins of a silo to what was done in it. */
export const AuditLogLink = ({ whyNot }: { whyNot: string | undefined }) => (
  <p className="mt-4">
    {whyNot ? (
      <Button disabledReason={whyNot}>Audit log</Button>
    ) : (
      <PageLink to="/audit-log" className={buttonClass()}>
        Audit log
      </PageLink>
    )}
  </p>
)
