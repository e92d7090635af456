// What few visitors open, bundled apart from the rest (see ui/lazy.tsx).

export { Login, Password, Token } from "./pages/login/Login";
export { Me } from "./pages/me/Me";
export { SecondStep } from "./pages/login/SecondStep";
export { Operator } from "./pages/operator/Operator";
export { CloseRoom, Keeper } from "./pages/operator/ModerationTools";
export { Prove } from "./pages/login/Prove";
export { OwnText } from "./ui/OwnText";
