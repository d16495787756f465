import type { deviceOps } from '@gantry/api/people/device'
import { deviceGrantType } from '@gantry/api/people/device.rules'
import { id } from '@gantry/control-plane/testing/case-values'
import type { CasesOf } from '@gantry/control-plane/testing/operation-case'

export const deviceCases: CasesOf<typeof deviceOps> = {
  deviceAuthRequest: {
    sent: { form: { client_id: id, ttl_seconds: '60' } },
    rule: 'anybody',
    allowed: () => ['/device/auth'],
  },
  deviceAuthConfirm: {
    sent: { body: { user_code: 'BCDFGHJK' } },
    rule: 'member',
    allowed: async ({ freshCode }) => ['/device/confirm', { user_code: await freshCode() }],
  },
  deviceAuthDeny: {
    sent: { body: { user_code: 'BCDFGHJK' } },
    rule: 'member',
    allowed: async ({ freshCode }) => ['/ext/v1/device-denials', { user_code: await freshCode() }],
  },
  deviceAccessToken: {
    sent: { form: { grant_type: deviceGrantType, device_code: 'x', client_id: id } },
    rule: 'anybody',
    allowed: () => ['/device/token'],
    anonymously: [400, 'invalid_grant'],
  },
}
