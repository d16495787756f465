import CircleCheck from 'lucide-react/icons/circle-check'
import { LoginFrame } from '#/shell/LoginFrame.tsx'
import type { Page } from './page.ts'

export const deviceSuccess: Page = () => (
  <LoginFrame title="Device logged in">
    <p className="mt-1.5 flex items-center gap-2 text-muted">
      <CircleCheck aria-hidden strokeWidth={1.75} className="size-5 shrink-0 text-ok-fill" />
      You can close this window.
    </p>
  </LoginFrame>
)
