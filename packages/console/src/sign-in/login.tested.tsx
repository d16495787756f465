import CircleCheck from 'lucide-react/icons/circle-check'
import { LoginFrame } from '#/shell/LoginFrame.tsx'
import type { Page } from './page.ts'

/** Ends a test sign-in in its window; the tester need not be signed in at this host. */
export const loginTested: Page = () => (
  <LoginFrame title="Test sign-in complete">
    <p className="mt-1.5 flex items-center gap-2 text-muted">
      <CircleCheck aria-hidden strokeWidth={1.75} className="size-5 shrink-0 text-ok-fill" />
      Close this tab. The result is shown where you started the test.
    </p>
  </LoginFrame>
)
