import { createContext } from 'react'

/**
 * Open menus, notified when their entries may have changed. Rows do not render for that, so a menu in one would not
 * notice.
 */
export const MenuListeners = createContext(new Set<() => void>())
