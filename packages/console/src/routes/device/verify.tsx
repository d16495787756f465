import { createFileRoute } from '@tanstack/react-router'
import { DeviceForm } from '../../features/device/DeviceForm.tsx'
import { LoginFrame } from '../../shell/LoginFrame.tsx'

interface DeviceSearch {
  /** The code that a device put into its link (RFC 8628, 3.3.1), or that somebody had typed before signing in. */
  user_code?: string
}

export const Route = createFileRoute('/device/verify')({
  validateSearch: ({ user_code }: Record<string, unknown>): DeviceSearch =>
    typeof user_code === 'string' ? { user_code } : {},
  component: DeviceVerify,
})

function DeviceVerify() {
  const { user_code = '' } = Route.useSearch()
  return (
    <LoginFrame
      title="Device Authentication"
      note="Go on only with a code that your own device shows you: the device will act in your name."
    >
      <p className="mt-0.5 text-muted">Enter the code shown on your device</p>
      <DeviceForm given={user_code} />
    </LoginFrame>
  )
}
