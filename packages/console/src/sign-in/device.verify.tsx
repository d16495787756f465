import { DeviceForm } from '#/features/sign-in/device/DeviceForm.tsx'
import { LoginFrame } from '#/shell/LoginFrame.tsx'
import type { Page } from './page.ts'

export const deviceVerify: Page = ({ search, go, replace }) => (
  <LoginFrame
    title="Device Authentication"
    note="Only approve a code shown on your own device. It gets your permissions."
  >
    <p className="mt-0.5 text-muted">Enter the code shown on your device</p>
    {/* The code comes from a device's link (RFC 8628, 3.3.1), or was typed before signing in. */}
    <DeviceForm
      given={search.get('user_code') ?? ''}
      onSignIn={go}
      onDone={() => replace('/device/success')}
    />
  </LoginFrame>
)
