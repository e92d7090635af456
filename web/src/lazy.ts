// What few visitors open, bundled apart from the rest (see ui/lazy.tsx).

export { Analysis } from "./pages/analysis/Analysis";
export { Login, Password, Token } from "./pages/login/Login";
export { Prove } from "./pages/login/Prove";
export { SecondStep } from "./pages/login/SecondStep";
export { Me } from "./pages/me/Me";
export { CloseRoom, ModerationTools } from "./pages/operator/ModerationTools";
export { Operator } from "./pages/operator/Operator";
export { OwnText } from "./ui/OwnText";
